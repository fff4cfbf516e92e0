/** A parameter's name as an option is written: `maxWidth` is `max-width`. */
export function optionName(parameter: string): string {
  return parameter.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
