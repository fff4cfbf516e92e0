import { formats } from '@media-jobs/video/media';
import type { Preset } from '../../core/presets/preset.ts';
import { underPrefix } from '../../core/storage/object-key.ts';
import { prefixOf } from '../../core/storage/stage-bucket.ts';
import type { Watch } from '../../core/watches/watch.ts';
import { SettingsError } from './read-settings.ts';
import { outputBucket, stageWatches, type WatchSettings, watchOwner } from './watches.ts';

/**
 * Rejects a watch whose results are for a watch, itself or another one: it would make jobs without end.
 *
 * @throws SettingsError that names both
 */
export function assertNoWatchLoops(settings: WatchSettings, presets: readonly Preset[]): void {
  const readers = stageWatches(settings);
  for (const [index, writer] of readers.entries()) {
    const { place, template } = writtenKeys(settings, index);
    const extensions = extensionsOf(writer, presets);
    const reader = readers.find(
      ({ bucket, storageProviderId, prefix, suffixes }) =>
        (bucket ?? storageProviderId) === place &&
        mayBegin(template, prefix) &&
        mayEnd({ template, extensions }, suffixes),
    );
    if (reader === undefined) continue;
    const whose = reader.name === writer.name ? `the same watch, ${reader.name}` : `the watch ${reader.name}`;
    throw new SettingsError(
      `Setting "watches.${index}.output.key": the results of the watch ${writer.name}, ${template}, would be objects of ${whose}, which reads the prefix "${reader.prefix}": jobs would follow jobs without end.`,
    );
  }
}

/** Where the results of a watch are: the bucket or the provider, and the template of the keys there. */
function writtenKeys(settings: WatchSettings, index: number): { place: string; template: string } {
  const watch = settings.watches[index];
  if (watch === undefined) throw new RangeError(`There is no watch ${index}.`);
  const { storageProviderId, key } = watch.output;
  const target = outputBucket(settings, watch);
  if (target === undefined) return { place: storageProviderId, template: key };
  return { place: target.bucket, template: underPrefix(key, prefixOf(target, watchOwner(settings, watch))) };
}

/** The characters of the placeholders that do not stand for names. */
const characters: Readonly<Record<string, RegExp>> = { jobId: /^[0-9a-f-]*$/, date: /^[0-9-]*$/ };

/** Whether a key of a template may begin with a prefix. */
function mayBegin(template: string, prefix: string): boolean {
  const [, fixed = '', placeholder] = /^([^{]*)(?:\{(\w+)\})?/.exec(template) ?? [];
  if (fixed.startsWith(prefix)) return true;
  if (!prefix.startsWith(fixed) || placeholder === undefined) return false;
  const [segment = ''] = prefix.slice(fixed.length).split('/');
  return characters[placeholder]?.test(segment) ?? true;
}

/** Files of a stream or of a set of images besides their own format. */
const ofSets = ['m3u8', 'mpd', 'mp4', 'm4s', 'ts', 'm4a', 'vtt', 'jpg', 'png', 'webp', 'avif', 'json'];
const all = [...Object.keys(formats), ...ofSets];

type Requested = { mode?: unknown; output?: { format?: string }; outputs?: Record<string, { format?: string }> };

/** The extensions of the results of a watch: all, if its preset is one of an owner, which is unknown here. */
function extensionsOf({ preset }: Watch, presets: readonly Preset[]): readonly string[] {
  const [name, version] = preset.split('@');
  const versions = presets.filter(
    (one) => one.name === name && (version ?? String(one.version)) === String(one.version),
  );
  if (versions.length === 0) return all;
  return versions.flatMap(({ request }) => {
    const { mode, output, outputs = {} } = request as Requested;
    if (mode === 'pipeline') return all;
    return [output, ...Object.values(outputs)].flatMap((result) => withSet(result?.format));
  });
}

function withSet(format: string | undefined): readonly string[] {
  if (format === undefined) return [];
  const { fileType } = formats[format as keyof typeof formats] ?? {};
  return fileType === 'video' || fileType === 'audio' ? [format] : [format, ...ofSets];
}

/** Whether a key may end with a suffix. A template without `{extension}` fixes that of a single file only. */
function mayEnd(
  { template, extensions }: { template: string; extensions: readonly string[] },
  suffixes: readonly string[] | undefined,
): boolean {
  if (suffixes === undefined) return true;
  const [fixed] = /\.[^./{}]+$/.exec(template) ?? [];
  const isSingle = extensions.length === 1;
  const endings =
    fixed === undefined
      ? extensions.map((one) => `.${one}`)
      : [fixed, ...(isSingle ? [] : extensions.map((one) => `.${one}`))];
  const matches = (ending: string, suffix: string) => ending.endsWith(suffix) || suffix.endsWith(ending);
  return suffixes.some((suffix) => endings.some((ending) => matches(ending.toLowerCase(), suffix.toLowerCase())));
}
