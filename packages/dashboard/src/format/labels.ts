const acronyms = new Map([
  ['api', 'API'],
  ['bitrate', 'bit rate'],
  ['crf', 'CRF'],
  ['fps', 'FPS'],
  ['gif', 'GIF'],
  ['hdr', 'HDR'],
  ['hls', 'HLS'],
  ['url', 'URL'],
  ['lufs', 'LUFS'],
  ['vmaf', 'VMAF'],
  ['mb', 'MB'],
  ['sdr', 'SDR'],
  ['webp', 'WebP'],
]);

/** A camel-case name as a label: `imageUrl` becomes `Image URL`. */
export function labelFromName(name: string): string {
  const parts = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).split(' ');
  return capitalize(parts.map((word) => acronyms.get(word) ?? word).join(' '));
}

/** A code as a label: `INPUT_NOT_MEDIA` becomes `Input not media`, `hdr-to-sdr` becomes `HDR to SDR`. */
export function labelFromCode(code: string): string {
  const text = code.toLowerCase().replaceAll(/[_-]+/g, ' ');
  return capitalize(text.replaceAll(/\w+/g, (word) => acronyms.get(word) ?? word));
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
