import { decodePercent } from '../net/response.ts';
import { storageUrl } from '../storage/storage-url.ts';
import type { JobRequestRecord } from './request-record.ts';

/** A request with one input, or with several for a recipe that joins them. */
export type WithInputs = Pick<JobRequestRecord, 'input' | 'inputs'>;

/** An input as a request names it: by URL, or by an object of a storage provider. */
type RequestInput = { url?: string | undefined; storageProviderId?: string | undefined; key?: string | undefined };

/** Every input of a request, with its path in the request. */
export function requestInputs<Input>({
  input,
  inputs = [],
}: {
  input?: Input | undefined;
  inputs?: readonly Input[] | undefined;
}): { input: Input; path: string }[] {
  return [
    ...(input === undefined ? [] : [{ input, path: 'input' }]),
    ...inputs.map((each, index) => ({ input: each, path: `inputs.${index}` })),
  ];
}

/** The URLs of a request's inputs, in order. An object of a storage provider has a `storage:` URL. */
export function inputUrls({ input, inputs }: WithInputs): string[] {
  return (inputs ?? (input === undefined ? [] : [input])).map(inputUrl);
}

function inputUrl({ url, storageProviderId, key }: RequestInput): string {
  if (url !== undefined) return url;
  return storageProviderId === undefined || key === undefined ? '' : storageUrl({ storageProviderId, key });
}

/** With the longest suffix of an output, a name stays below the 255 bytes of file systems. */
const maxStemBytes = 150;

/** Characters that no reader sees or that change the order of others. Some scripts and emoji need the two joiners. */
const invisible = /(?![\u200c\u200d])[\p{C}\p{Zl}\p{Zp}]/gu;

/** Names of devices, which Windows gives to no file. */
const device = /^(con|prn|aux|nul|com\d|lpt\d)$/i;

/**
 * The filename for the download of an output, from that of its source in any script: `holiday.mp4` for
 * `https://example.com/holiday.mov?x=1`, and `holiday-thumbnail-001.jpg` for one of several outputs.
 *
 * @param source the URL, and the name that its host states, if any: both may contain anything
 */
export function downloadName(
  source: { url: string; statedName?: string | undefined },
  { name, filename }: { name: string; filename: string },
): string {
  const { url, statedName = '' } = source;
  const stem = stemOf(statedName) || stemOf(lastSegment(url));
  const ownName = filename.replace(/^output(?=\.)/, () => name);
  if (stem === '') return ownName;
  return name === 'output' ? filename.replace(/^output/, () => stem) : `${stem}-${ownName}`;
}

/** Characters of a name that a search compares. With the id of its job they fit into a sort key of 1,024 bytes. */
const searchedCharacters = 200;

/** A text as searches compare names: Unicode composed, in lower case, cut. */
export function searchable(name: string): string {
  return name.toWellFormed().normalize('NFC').toLowerCase().slice(0, searchedCharacters).toWellFormed();
}

/** The file name of a job's first source, as searches compare it; empty if its URL has none. */
export function searchedName(request: WithInputs): string {
  return searchable(lastSegment(inputUrls(request)[0] ?? ''));
}

function lastSegment(url: string): string {
  const path = url.replace(/[?#].*$/s, '').replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '');
  return decodePercent(path.split('/').at(-1) ?? '');
}

function stemOf(name: string): string {
  const visible = name
    .toWellFormed()
    .normalize('NFC')
    .replace(invisible, (each) => (/\s/.test(each) ? ' ' : ''));
  const stem = visible
    .replace(/\.[A-Za-z0-9]{1,5}$/, '')
    .replace(/[<>:"/\\|?*\ufffd]+/g, '-')
    .replace(/\s+/g, ' ')
    .replace(/^[\s.\-\u200c\u200d]+/, '');
  const short = firstBytes(stem, maxStemBytes).replace(/[\s.\-\u200c\u200d]+$/, '');
  return device.test(short) ? `_${short}` : short;
}

/** The beginning of a text, cut between characters as readers see them. */
function firstBytes(text: string, maxBytes: number): string {
  let length = 0;
  let bytes = 0;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    bytes += Buffer.byteLength(segment);
    if (bytes > maxBytes) break;
    length += segment.length;
  }
  return text.slice(0, length);
}
