export { type Speed, speeds } from './chunking/settings.ts';
export { selectAudio } from './encoding/audio/map-audio.ts';
export { availableBytes, peakMemoryBytes, type WorkerMemory } from './encoding/encoder-memory.ts';
export {
  type Encoding,
  type EncodingFiles,
  encodingsByCodec,
  isLadderEncoding,
  outputSizes,
  withFiles,
} from './encoding/encoding.ts';
export { keyframeIntervalFor, minSegmentSeconds } from './encoding/ladder/ladder.ts';
export { withInputOptions } from './encoding/options.ts';
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
export { aimBytesOf, nextKbps, type SizeSearch, type SizeTrial } from './encoding/video/target-size.ts';
export { measureVmaf } from './encoding/video/vmaf-samples.ts';
