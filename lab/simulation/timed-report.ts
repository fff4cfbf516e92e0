/** Prints lines with the seconds since this call. */
export function timedReport(print: (line: string) => void = console.log): (text: string) => void {
  const begunMs = performance.now();
  return (text) => print(`${((performance.now() - begunMs) / 1_000).toFixed(0).padStart(4)} s  ${text}`);
}
