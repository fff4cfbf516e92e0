import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import type { Preset } from '../../core/presets/preset.ts';
import { readSettings } from '../../lib/settings/read-settings.ts';
import { assertNoWatchLoops } from '../../lib/settings/watch-loops.ts';
import { stageWatches } from '../../lib/settings/watches.ts';
import { synthesizedStage } from '../builders/template/synthesized-stage.ts';

const buckets = [
  { name: 'team', bucket: 'team-media', access: 'read-write' },
  { name: 'deep', bucket: 'team-media', prefix: 'deep', access: 'read-write' },
  { name: 'done', bucket: 'team-done', access: 'write', create: true },
];
const output = { storageProviderId: 'bucket:team', key: 'out/{source}/{name}.{extension}' };
const one = { name: 'films', bucket: 'team-media', prefix: 'raw/', preset: 'stream', output };
const sp = `sp_${'0'.repeat(32)}`;

const settingsWith = (watches: object[], more: object = {}) =>
  readSettings({ dev: { buckets, watches, ...more } }, 'dev');
const to = (key: string, storageProviderId = 'bucket:team') => ({ output: { storageProviderId, key } });

describe('the setting watches', () => {
  it.each<[string, object, string | undefined]>([
    ['a bucket of the account', {}, undefined],
    ['a bucket by its name in the settings', { bucket: 'team' }, undefined],
    ['a storage provider', { bucket: undefined, storageProviderId: sp }, undefined],
    ['both', { storageProviderId: sp }, 'watches.0.bucket'],
    ['neither', { bucket: undefined }, 'watches.0.bucket'],
    ['an unknown bucket', { bucket: 'other' }, 'watches.0.bucket'],
    ['a bucket that is only written', { bucket: 'team-done' }, 'watches.0.bucket'],
    [
      'an unknown provider of the stage',
      { bucket: undefined, storageProviderId: 'bucket:x' },
      'watches.0.storageProviderId',
    ],
    ['an output that is no bucket of the stage', to('a/{jobId}', 'bucket:x'), 'watches.0.output.storageProviderId'],
    ['an unknown placeholder', to('a/{film}'), 'watches.0.output.key'],
    ['an owner of a stage of one team', { owner: 'o1' }, 'watches.0.owner'],
    [
      'events of a provider',
      { bucket: undefined, storageProviderId: sp, enableEvents: true },
      'watches.0.enableEvents',
    ],
    ['a path as its prefix', { prefix: '../' }, 'watches.0.prefix'],
    ['no suffix', { suffixes: [] }, 'watches.0.suffixes'],
    ['a field of another setting', { recipe: 'hls' }, 'watches.0.recipe'],
  ])('with %s', (_, more, path) => {
    const read = () => settingsWith([{ ...one, ...more }]);
    if (path === undefined) expect(read).not.toThrow();
    else expect(read).toThrow(`"${path}"`);
  });

  it('rejects a name twice, and wants owners where there are several', () => {
    expect(() => settingsWith([one, one])).toThrow('"watches.1.name"');
    const owned = buckets.map((each) => ({ ...each, owners: ['o1'] }));
    const multi = (watch: object) => settingsWith([watch], { tenancy: 'multi', buckets: owned });
    expect(() => multi(one)).toThrow('"watches.0.owner"');
    expect(stageWatches(multi({ ...one, owner: 'o1' }))).toMatchObject([{ ownerId: 'o1' }]);
    expect(() => multi({ ...one, owner: 'o2' })).toThrow('"watches.0.bucket"');
  });

  it('is read as whole keys of a bucket of the account', () => {
    const below = { ...one, bucket: undefined, storageProviderId: 'bucket:deep' };
    expect(stageWatches(settingsWith([below]))).toMatchObject([
      { ownerId: 'stage', bucket: 'team-media', storageProviderId: 'bucket:deep', prefix: 'deep/raw/' },
    ]);
  });
});

const preset = (format: string): Preset => ({
  ...{ name: 'stream', version: 1, draft: false, retired: false, title: '', description: '', allow: [] },
  ...{ request: { mode: 'recipe', output: { format } }, source: 'stage', createdAt: '2026-01-01T00:00:00.000Z' },
});

describe('a watch of its own results', () => {
  const other = { ...one, name: 'clips', prefix: 'out/', output: { storageProviderId: 'bucket:done', key: '{jobId}' } };

  it.each<[string, object[], string | undefined]>([
    ['elsewhere', [one], undefined],
    ['below its prefix', [{ ...one, ...to('raw/out/{jobId}.mp4') }], 'films'],
    [
      'below its prefix, with another suffix',
      [{ ...one, suffixes: ['.mov'], ...to('raw/out/{jobId}.mp4') }],
      undefined,
    ],
    ['below its prefix, with its suffix', [{ ...one, suffixes: ['.MP4'], ...to('raw/{jobId}.{extension}') }], 'films'],
    [
      'below its prefix, with the suffix of no result',
      [{ ...one, suffixes: ['.mov'], ...to('raw/{jobId}.{extension}') }],
      undefined,
    ],
    [
      'below the prefix of its bucket by another provider',
      [{ ...one, prefix: 'deep/', ...to('a/{jobId}', 'bucket:deep') }],
      'films',
    ],
    ['in another bucket', [{ ...one, ...to('raw/{jobId}', 'bucket:done') }], undefined],
    ['anywhere in a bucket that is read whole', [{ ...one, prefix: '' }], 'films'],
    ['in a folder of the job, which no prefix has', [{ ...one, ...to('{jobId}/{name}') }], undefined],
    ['in a folder of its source, which may be its prefix', [{ ...one, ...to('{source}/{name}') }], 'films'],
    ['below the prefix of another watch', [one, other], 'clips'],
    ['at the same provider', [{ ...one, bucket: undefined, storageProviderId: sp, ...to('raw/{jobId}', sp) }], 'films'],
  ])('with results %s', (_, watches, reader) => {
    const settings = settingsWith(watches);
    const check = () => assertNoWatchLoops(settings, [preset('mp4')]);
    if (reader === undefined) expect(check).not.toThrow();
    else expect(check).toThrow(new RegExp(`results of the watch films.* watch,? ${reader}`));
  });

  it('fails the synthesis, also with a preset that only its owner knows', () => {
    const watches = [{ ...one, suffixes: ['.ts'], ...to('raw/{jobId}.{extension}') }];
    expect(() => synthesizedStage({ settings: { buckets, watches } })).toThrow('results of the watch films');
  });
});

describe('a stage with watches', () => {
  const watched = [{ ...one, bucket: 'own-media', output: { storageProviderId: 'bucket:own', key: 'out/{jobId}' } }];
  const own = { name: 'own', bucket: 'own-media', access: 'read-write', create: true };
  const settings = { buckets: [...buckets, own], watches: [...watched, { ...one, name: 'more', enableEvents: true }] };
  const { service, stateful } = synthesizedStage({ settings });

  it('sends the events of their buckets to a queue of the function, and sweeps', () => {
    service.hasResourceProperties('AWS::Events::Rule', {
      EventPattern: {
        source: ['aws.s3'],
        'detail-type': ['Object Created'],
        detail: { bucket: { name: ['own-media', 'team-media'] }, object: { key: [{ prefix: 'raw/' }] } },
      },
    });
    service.hasResourceProperties('AWS::Events::Rule', { ScheduleExpression: 'rate(5 minutes)' });
    service.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
      FunctionName: { Ref: Match.stringLikeRegexp('^WatcherWatch') },
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      // Of a new account.
      ScalingConfig: { MaximumConcurrency: 2 },
    });
  });

  it('switches on the events of its own bucket by its property, and of others where the setting says so', () => {
    stateful.hasResourceProperties('AWS::S3::Bucket', {
      BucketName: 'own-media',
      NotificationConfiguration: { EventBridgeConfiguration: { EventBridgeEnabled: true } },
    });
    stateful.hasResourceProperties('AWS::S3::Bucket', {
      BucketName: 'team-done',
      NotificationConfiguration: Match.absent(),
    });
    const notifications = service.findResources('Custom::S3BucketNotifications');
    expect(Object.values(notifications).map(({ Properties }) => Properties)).toMatchObject([
      { BucketName: 'team-media', NotificationConfiguration: { EventBridgeConfiguration: {} }, Managed: false },
    ]);
  });

  it('raises an alarm for objects without a job, and shows the lag', () => {
    service.hasResourceProperties('AWS::CloudWatch::Alarm', { MetricName: 'WatchLagSeconds', Threshold: 900 });
    expect(JSON.stringify(service.findResources('AWS::CloudWatch::Dashboard'))).toContain('WatchLagSeconds');
  });

  it('has nothing of it without the setting', () => {
    expect(JSON.stringify(synthesizedStage().service.toJSON())).not.toContain('WATCH');
  });
});
