export { assembleMovie, doesKeepLastFrame } from './chunking/assembly/assemble-movie.ts';
export { type JoinedFragments, joinFragmentTables } from './chunking/assembly/join-fragment-tables.ts';
export { audioInChunk, joinDiskReason, mayAssemble, mayAssembleStream } from './chunking/assembly/may-assemble.ts';
export { frameTicksOf, type RetimedFragment, retimeFragments } from './chunking/assembly/retime-fragments.ts';
export { longAudioReason, wholeAudioSeconds } from './chunking/commands/audio-command.ts';
export { clipsAudio } from './chunking/commands/clips-audio.ts';
export {
  type JoinCommands,
  type JoinedVideo,
  type JoinFiles,
  joinCommands,
} from './chunking/commands/join-commands.ts';
export { checkCommand, passCommand, taskCommand } from './chunking/commands/task-command.ts';
export type { TaskFiles, TaskWork } from './chunking/commands/task-files.ts';
export {
  decodeFrameTimes,
  encodeFileTimes,
  encodeFrameTimes,
  type FrameIndex,
  frameSeconds,
} from './chunking/frame-index/frame-index.ts';
export {
  type AudioRange,
  mp4AudioRange,
  type PacketReader,
  type PacketReadOptions,
} from './chunking/frame-index/packets.ts';
export { type AudioTiming, timelineOriginSeconds } from './chunking/frame-index/timeline.ts';
export {
  type ChunkedWork,
  type ChunkPlan,
  chunkFormat,
  type MediaLocation,
  readPlan,
  type StoredObject,
  workHash,
  writePlan,
} from './chunking/plan/chunk-plan.ts';
export {
  type ChunkFailure,
  type ChunkResult,
  chunkFailureSchema,
  chunkResultSchema,
  type FragmentTable,
  parseChunkResult,
} from './chunking/plan/chunk-result.ts';
export {
  type ChunkTask,
  chunkedRenditions,
  chunkTasks,
  runsFirst,
  sourcesOfTask,
  taskFileCount,
} from './chunking/plan/chunk-tasks.ts';
export { type ChunkedClip, chunkedClips, outputTracks } from './chunking/plan/chunked-clips.ts';
export {
  type AudioChunk,
  type AudioCutOptions,
  audioChunkCount,
  type CutTrack,
  cutAudio,
  type TrackChunk,
} from './chunking/plan/cut-audio.ts';
export type { VideoToCut } from './chunking/plan/cut-clips.ts';
export { type Chunk, cutVideo } from './chunking/plan/cut-video.ts';
export {
  type ChunkingDecision,
  type ChunkingPolicy,
  chunkCount,
  chunkLength,
  planChunks,
  singlePassBecause,
  singlePassReason,
  workOf,
} from './chunking/plan/plan-chunks.ts';
export {
  type ChunkTarget,
  type FirstResults,
  rateOfBytes,
  targetOf,
  targetOfChunk,
} from './chunking/plan/rate-target.ts';
export { isStraggler, type RunProgress } from './chunking/plan/straggler.ts';
export { hasWholeFrames, wholeAudioReason } from './chunking/plan/whole-audio-rules.ts';
export {
  type ChunkSettings,
  chunkSettingsSchema,
  maxAudioChunks,
  maxChunks,
  maxParallelTasks,
  maxTaskSeconds,
} from './chunking/settings.ts';
export {
  type AudioMeasurements,
  type ChunkMeasurement,
  damageOfTasks,
  findJoinDefect,
  type JoinedFrames,
  measureChunk,
} from './chunking/verify/verify-join.ts';
