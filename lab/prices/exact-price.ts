/** A price without an exponent, as AWS writes it: to ten digits. */
export function exactPrice(dollars: number): string {
  return dollars.toFixed(10).replace(/0+$/, '').replace(/\.$/, '');
}
