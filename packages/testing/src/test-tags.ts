/**
 * What a test judges, and the words in the paths of the source that decides it. Tests of encoded files and of whole
 * stages carry these tags: they import most of the source, or reach it by processes, so imports do not say which part.
 */
export const subjects: Readonly<Record<string, { description: string; sources: RegExp }>> = {
  audio: {
    description: 'Channels, loudness and tracks of audio',
    sources: /audio|loudness|spoken|mute/,
  },
  chunks: {
    description: 'Chunks give what a single pass gives',
    sources: /chunk|frame-index/,
  },
  color: {
    description: 'Colors, their tags, dynamic range and transparency',
    sources: /alpha|color|hdr|icc|prores|tone-map/,
  },
  concat: { description: 'Joined videos', sources: /concat/ },
  copies: { description: 'Copied streams', sources: /copied|copy|remux/ },
  dashboard: { description: 'The dashboard in a browser', sources: /dashboard/ },
  geometry: {
    description: 'Frame size, rotation and overlays',
    sources: /heif|fit-frame|frame-size|orientation|overlay|resize|rotate|video-filters|watermark/,
  },
  images: {
    description: 'Still and animated images',
    sources: /excerpt|exif|extract-frame|gif|heif|image|png|riff|sheet|sprite|thumbnail|tile|webp\b/,
  },
  jobs: {
    description: 'Whole jobs on a stage',
    sources: /^core\/jobs|^functions\/(transcode|reconcile)|^core\/(publish|worker)|sandbox/,
  },
  packages: { description: 'Packed packages and generated clients', sources: /^client|^core\/api/ },
  pipelines: { description: 'Recipes in sequence', sources: /pipeline|steps/ },
  quality: {
    description: 'Rate control, sizes and scores',
    sources: /compare|compress|encoder|encoding\.ts|limit|sampling|target|vmaf/,
  },
  requests: {
    description: "The API's answers, and who may ask",
    sources:
      /^functions\/(?!transcode|encode-|join-|reconcile|deliver)|^adapters\/runtime|^core\/(access|api)|gateway|oidc|session/,
  },
  sources: {
    description: 'Sources that are unusual, damaged or hostile',
    sources: /^adapters\/http|^core\/net|damage|download|ffmpeg|input|mp4|probe|runner/,
  },
  storage: { description: 'Uploads, downloads and storage providers', sources: /publish|s3|storage|upload/ },
  streams: {
    description: 'Adaptive streams and renditions',
    sources: /dash|encrypt|fragment|hls|ladder|packag|playlist|rendition|segment/,
  },
  subtitles: { description: 'Subtitles and captions', sources: /ass-text|caption|cues|nal-|subtitle|webvtt/ },
  timing: {
    description: 'Frame rates, frame times, starts and ends',
    sources: /clip|duration|field|frame-(grid|index|rate)|frame-times|rate\.ts|seek|speed|stated|time-/,
  },
  webhooks: { description: 'Deliveries, their retries and secrets', sources: /deliver|webhook/ },
};

/** A full test that takes minutes and is left out of `.ci/run`. */
const nightly = { name: 'nightly', description: 'Large matrices, chaos and load: not in .ci/run' };

export const testTags = [
  nightly,
  ...Object.entries(subjects).map(([name, { description }]) => ({ name, description })),
];

/** The subjects of a source file, by its path from the root without `packages` and `src`. */
export function subjectsOf(path: string): string[] {
  return Object.keys(subjects).filter((name) => subjects[name]?.sources.test(path));
}

/** The subjects that the comments of a test file name, in the form that vitest reads. */
export function subjectsIn(text: string): string[] {
  const tags = text.matchAll(/^\/\/ @module-tag ([\w-]+)$/gm);
  return [...tags].flatMap(([, tag = '']) => (tag in subjects ? [tag] : []));
}
