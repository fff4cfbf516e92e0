const capitals = new Map([
  ['crf', 'CRF'],
  ['fps', 'FPS'],
  ['url', 'URL'],
  ['lufs', 'LUFS'],
  ['vmaf', 'VMAF'],
]);

/** `imageUrl` as `Image URL`: words, and in capitals what people write so. */
export function labelFromName(name: string): string {
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).split(' ');
  const label = words.map((word) => capitals.get(word) ?? word).join(' ');
  return label.charAt(0).toUpperCase() + label.slice(1);
}
