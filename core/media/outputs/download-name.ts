const maxStemLength = 80;

/**
 * The filename for the download of an output, from the input's name: `holiday.mp4` for
 * `https://example.com/holiday.mov?x=1`, and `holiday-thumbnail-001.jpg` for one of several outputs. Only letters, digits
 * and `._-`: the name goes into a header, and a client's name may contain anything.
 */
export function downloadName(
  inputUrl: string,
  { name, filename }: { name: string; filename: string },
): string {
  const stem = stemOf(inputUrl);
  if (stem === '') return filename;
  return name === 'output' ? filename.replace(/^output/, stem) : `${stem}-${filename}`;
}

function stemOf(url: string): string {
  const lastSegment =
    url
      .replace(/[?#].*$/s, '')
      .split('/')
      .at(-1) ?? '';
  return decoded(lastSegment)
    .replace(/\.[A-Za-z0-9]{1,5}$/, '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9._]+/g, '-')
    .slice(0, maxStemLength)
    .replace(/^[.-]+|[.-]+$/g, '');
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
