export { selectAudio } from './encoding/audio/encode-audio.ts';
export { availableBytes, peakMemoryBytes, type WorkerMemory } from './encoding/encoder-memory.ts';
export {
  type Encoding,
  type EncodingFiles,
  encodingsByCodec,
  isLadderEncoding,
  isStream,
  keyframeIntervalOf,
  outputSizes,
  overlayOf,
  subtitlesOf,
  withFiles,
} from './encoding/encoding.ts';
export { withInputOptions } from './encoding/input-options.ts';
export { keyframeIntervalFor, minSegmentSeconds } from './encoding/ladder/segmenting.ts';
export { drawSubtitles, subtitleStyle } from './encoding/overlay.ts';
export {
  type ClipEncoding,
  executePlan,
  type MediaFile,
  measureOutput,
  type PendingPlan,
  type Plan,
  type PlannedOutput,
  type RunTask,
  resolvePlan,
  runTask,
} from './encoding/plan.ts';
export { type Speed, speeds } from './encoding/speeds.ts';
export { aimBytesOf, nextKbps, type SizeSearch, type SizeTrial } from './encoding/video/target-size.ts';
export { measureVmaf } from './encoding/video/vmaf-samples.ts';
