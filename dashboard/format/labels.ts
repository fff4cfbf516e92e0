const acronyms = new Map([
  ['crf', 'CRF'],
  ['fps', 'FPS'],
  ['url', 'URL'],
  ['lufs', 'LUFS'],
  ['vmaf', 'VMAF'],
  ['mb', 'MB'],
]);

/** A camel-case name as a label: `imageUrl` becomes `Image URL`. */
export function labelFromName(name: string): string {
  const parts = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).split(' ');
  return capitalize(parts.map((word) => acronyms.get(word) ?? word).join(' '));
}

/** A code as a label: `INPUT_NOT_MEDIA` becomes `Input not media`, `extract-audio` becomes `Extract audio`. */
export function labelFromCode(code: string): string {
  return capitalize(code.toLowerCase().replaceAll(/[_-]+/g, ' '));
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
