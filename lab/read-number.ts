/**
 * The number of a command-line option.
 *
 * @throws Error that names the option, unless the text is a number above 0, and a whole one where that is asked for
 */
export function readNumber(option: string, text: string, { isWhole = false }: { isWhole?: boolean } = {}): number {
  const value = Number(text);
  if (value > 0 && Number.isFinite(value) && (!isWhole || Number.isInteger(value))) return value;
  throw new Error(`${option} must be a ${isWhole ? 'whole ' : ''}number above 0, found ${text}.`);
}
