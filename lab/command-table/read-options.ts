import { execFileSync } from 'node:child_process';
import { formats } from '@media-jobs/video/media';
import { chosen } from './chosen.ts';

/** What a command of a preset may use: encoders, options of encoders, and filters with their options. */
export type AllowedTable = {
  ffmpeg: string;
  encoders: string[];
  /** Names with spaces between. */
  options: string;
  filters: Record<string, string>;
};

type Option = { name: string; type: string; flags: string; description: string };

/** Options that hold text, of any length and meaning: most name files, or have options of a library inside. */
const textTypes = new Set(['string', 'binary', 'dictionary']);

/** Descriptions of text options of filters that reach beyond the frames. */
const outside = /file|path|url|script|socket|address|device|library|plug-?in|model|font|command/i;

/** `flags` can select the passes of libx264, which write a file. `opencl` opens a device. The service chooses threads. */
const neverAllowed = new Set(['flags2', 'debug', 'threads', 'thread_type', 'strict', 'opencl']);

/** Reads the table from an ffmpeg by its own help. */
export function readAllowed(ffmpegPath: string): AllowedTable {
  const help = (...topic: string[]) =>
    execFileSync(ffmpegPath, ['-hide_banner', ...topic], { encoding: 'utf8', maxBuffer: 64_000_000 });
  const encoders = chosen.encoders.filter((name) => help('-h', `encoder=${name}`).startsWith('Encoder '));
  const muxers = [...new Set(Object.values(formats).flatMap(({ muxer }) => muxer ?? []))];
  const all = [
    ...optionsIn(section(help('-h', 'full'), 'AVCodecContext')).filter(({ flags }) => flags.startsWith('E')),
    ...encoders.flatMap((name) => optionsIn(help('-h', `encoder=${name}`))),
  ];
  const ofFiles = [
    section(help('-h', 'full'), 'AVFormatContext'),
    ...muxers.map((name) => help('-h', `muxer=${name}`)),
  ];
  // ffmpeg passes an option to everything that has one of its name.
  const texts = [...all, ...ofFiles.flatMap(optionsIn)].filter(({ type }) => textTypes.has(type));
  const excluded = new Set([...texts.map(({ name }) => name), ...neverAllowed, 'flags']);
  for (const word of chosen.words) excluded.delete(word);
  const options = new Set(all.map(({ name }) => name).filter((name) => !excluded.has(name)));
  const filters = chosen.filters.flatMap((name) => {
    const text = help('-h', `filter=${name}`);
    return text.startsWith('Filter ') ? [[name, filterOptions(text).join(' ')] as const] : [];
  });
  const [, version = ''] = /^ffmpeg version (\S+)/.exec(help('-version')) ?? [];
  return { ffmpeg: version, encoders, options: [...options].sort().join(' '), filters: Object.fromEntries(filters) };
}

function filterOptions(help: string): string[] {
  const safe = optionsIn(help).filter(
    ({ name, type, description }) =>
      !neverAllowed.has(name) && !(textTypes.has(type) && outside.test(`${name} ${description}`)),
  );
  const names = safe.map(({ name }) => name);
  return [...new Set([...names, ...(help.includes("'enable' option") ? ['enable'] : [])])];
}

/** The options of a context in the full help. */
function section(help: string, context: string): string {
  const [, text = ''] = help.split(`${context} AVOptions:\n`);
  return text.split(/^\S.* AVOptions:$/m)[0] ?? '';
}

/** Lines such as `  -crf   <float>   E..V....... Quality`; named values are indented further. */
function optionsIn(help: string): Option[] {
  return [...help.matchAll(/^ {2,3}-?([\w-]+) +<(\w+) *> +(\S+) ?(.*)$/gm)].map(
    ([, name = '', type = '', flags = '', description = '']) => ({ name, type, flags, description }),
  );
}
