import * as z from 'zod';
import { stageOwnerId } from '../../core/access/owner.ts';
import { keyPrefixSchema, keyTemplateSchema, underPrefix } from '../../core/storage/object-key.ts';
import { prefixOf, type StageBucket } from '../../core/storage/stage-bucket.ts';
import { stageProviderId, storageProviderIdPattern } from '../../core/storage/storage-url.ts';
import { sourcePlaceholder } from '../../core/watches/submit-object.ts';
import type { Watch } from '../../core/watches/watch.ts';
import { type BucketSettings, stageBuckets } from './buckets.ts';
import { localOwnerId } from './local-owner.ts';

const providerId = z.string().regex(storageProviderIdPattern, 'must be bucket:<name> or the id of a storage provider');

/** The name of the file beside the code of a function, with the watches of its stage. */
export const watchesFile = 'watches.json';

const watchSettingSchema = z.strictObject({
  name: z.string().regex(/^[a-z0-9-]{1,40}$/, 'must be 1 to 40 lower-case letters, digits or hyphens'),
  bucket: z.string().optional(),
  storageProviderId: providerId.optional(),
  prefix: z.union([z.literal(''), keyPrefixSchema], 'must be the beginning of keys, such as raw/'),
  suffixes: z.array(z.string().min(1).max(40)).min(1, 'must have a suffix').optional(),
  preset: z.string().regex(/^[a-z0-9-]{1,40}(@[1-9]\d{0,5})?$/, 'must be name or name@version of a preset'),
  output: z.strictObject({
    storageProviderId: providerId,
    key: z
      .string()
      .refine(
        (key) => keyTemplateSchema.safeParse(key.replaceAll(sourcePlaceholder, 'source')).success,
        `must be a template of keys, of ${sourcePlaceholder}, {jobId}, {name}, {extension} and {date}`,
      ),
  }),
  owner: z
    .string()
    .regex(/^[\w-]{1,100}$/, 'must be the id of an owner')
    .optional(),
  enableEvents: z.boolean('must be true or false').optional(),
});

export type WatchSetting = z.output<typeof watchSettingSchema>;

export const watchesSchema = z.array(watchSettingSchema).max(50, 'must be at most 50').default([]).meta({
  description:
    'Prefixes whose new objects become jobs: `{ name, bucket | storageProviderId, prefix, suffixes?, preset, output: { storageProviderId, key }, owner?, enableEvents? }`. See [watches.md](watches.md).',
});

export type WatchSettings = BucketSettings & { watches: readonly WatchSetting[] };

/** Adds what is wrong with the watches of a stage. */
export function checkWatches(settings: WatchSettings, context: z.RefinementCtx): void {
  const { watches } = settings;
  const reject = (path: (string | number)[], message: string) =>
    context.addIssue({ code: 'custom', path: ['watches', ...path], message });
  for (const [index, watch] of watches.entries()) {
    if (watches.findIndex(({ name }) => name === watch.name) < index)
      reject([index, 'name'], 'must be of one watch only');
    const ownerProblem = findOwnerProblem(settings, watch);
    if (ownerProblem !== undefined) {
      reject([index, 'owner'], ownerProblem);
      continue;
    }
    if ((watch.bucket === undefined) === (watch.storageProviderId === undefined))
      reject([index, 'bucket'], 'must be set, or storageProviderId, and not both');
    else if (isOfAccount(watch) && sourceBucket(settings, watch) === undefined)
      reject(
        [index, watch.bucket === undefined ? 'storageProviderId' : 'bucket'],
        'must be in the setting buckets, readable and with a prefix that this one begins with, for the owner of the watch',
      );
    if (watch.enableEvents && !isOfAccount(watch))
      reject([index, 'enableEvents'], 'must be unset: only buckets of the account send events');
    const { storageProviderId: target } = watch.output;
    if (target.startsWith('bucket:') && outputBucket(settings, watch) === undefined)
      reject(
        [index, 'output', 'storageProviderId'],
        'must be a bucket of the setting buckets that its owner may write',
      );
  }
}

function findOwnerProblem({ tenancy, stage }: WatchSettings, { owner }: WatchSetting): string | undefined {
  if (tenancy === 'multi')
    return owner === undefined && stage !== 'local' ? 'must be set with tenancy multi' : undefined;
  return owner === undefined ? undefined : 'must be unset: a stage whose tenancy is single has one owner';
}

function isOfAccount({ bucket, storageProviderId = '' }: Pick<WatchSetting, 'bucket' | 'storageProviderId'>): boolean {
  return bucket !== undefined || storageProviderId.startsWith('bucket:');
}

export function watchOwner({ tenancy }: Pick<WatchSettings, 'tenancy'>, { owner }: WatchSetting): string {
  return owner ?? (tenancy === 'single' ? stageOwnerId : localOwnerId);
}

function usableBuckets(settings: WatchSettings, watch: WatchSetting, use: 'read' | 'write'): StageBucket[] {
  const owner = watchOwner(settings, watch);
  return stageBuckets(settings).filter(({ access, owners }) => access.includes(use) && owners.includes(owner));
}

/** The bucket of the account that a watch reads: by its name in S3 or in the settings, with the prefix that covers the watch. */
function sourceBucket(settings: WatchSettings, watch: WatchSetting): StageBucket | undefined {
  const owner = watchOwner(settings, watch);
  const readable = usableBuckets(settings, watch, 'read');
  if (watch.bucket === undefined) return readable.find(({ name }) => stageProviderId(name) === watch.storageProviderId);
  const covers = (one: StageBucket) => watch.prefix.startsWith(underPrefix('', prefixOf(one, owner)));
  return (
    readable.find((one) => one.bucket === watch.bucket && covers(one)) ??
    readable.find((one) => one.name === watch.bucket && covers(one))
  );
}

/** The bucket of the account that receives the results of a watch. */
export function outputBucket(settings: WatchSettings, watch: WatchSetting): StageBucket | undefined {
  return usableBuckets(settings, watch, 'write').find(
    ({ name }) => stageProviderId(name) === watch.output.storageProviderId,
  );
}

/** The prefix of the whole keys: that of a watch of `bucket`, or the one below the prefix of a provider. */
function keyPrefix(settings: WatchSettings, watch: WatchSetting, source: StageBucket): string {
  return watch.bucket === undefined
    ? underPrefix(watch.prefix, prefixOf(source, watchOwner(settings, watch)))
    : watch.prefix;
}

/** The watches as functions read them. */
export function stageWatches(settings: WatchSettings): Watch[] {
  return settings.watches.map((watch) => {
    const { name, suffixes, preset, output, storageProviderId = '', prefix } = watch;
    const common = { name, suffixes, preset, output, ownerId: watchOwner(settings, watch) };
    const source = isOfAccount(watch) ? sourceBucket(settings, watch) : undefined;
    if (source === undefined) return { ...common, storageProviderId, prefix };
    const place = { storageProviderId: stageProviderId(source.name), bucket: source.bucket };
    return { ...common, ...place, prefix: keyPrefix(settings, watch, source) };
  });
}

/** The file of the watches, for a function that reads them. */
export function filesOfWatches(settings: WatchSettings): Record<string, string> {
  const watches = stageWatches(settings);
  return watches.length === 0 ? {} : { [watchesFile]: JSON.stringify(watches) };
}

/** The buckets of the account that watches read: whether the template makes each, and whether it may switch on its events. */
export function watchedBuckets(settings: WatchSettings): { bucket: string; isOwn: boolean; enableEvents: boolean }[] {
  const read = stageWatches(settings);
  const names = [...new Set(read.flatMap(({ bucket }) => bucket ?? []))];
  return names.map((bucket) => ({
    bucket,
    isOwn: settings.buckets.some((one) => one.create === true && one.bucket === bucket),
    enableEvents: settings.watches.some(({ enableEvents }, index) => enableEvents && read[index]?.bucket === bucket),
  }));
}
