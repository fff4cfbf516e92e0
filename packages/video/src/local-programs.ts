export {
  allFiles,
  type BareRunOptions,
  type BareRuns,
  bareFfmpegSeconds,
  type Files,
  wallSeconds,
  withBareRuns,
} from './runner/bare-runs.ts';
export { findFfmpeg, findFonts, onPath } from './runner/find-ffmpeg.ts';
