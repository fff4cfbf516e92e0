import {
  jobFields,
  onAnyFailure,
  type ParallelMachineSettings,
  parallelTranscodeDefinition,
  runTasks,
} from './parallel-transcode.ts';

/** Step Functions runs at most 40 iterations of an inline Map at once. */
export const maxMapConcurrency = 40;

/**
 * The state machine `parallel-transcode` for more tasks at once than one Map runs. A Map of lists runs a Map of the tasks
 * of each list: all tasks of a list at once, and the next list when one has ended. Measurements, which are short, run in
 * one Map.
 */
export function parallelInListsDefinition({ maxParallelChunks, timeoutSeconds }: ParallelMachineSettings) {
  const inOneMap = parallelTranscodeDefinition({ maxParallelChunks: maxMapConcurrency, timeoutSeconds });
  const listLength = Math.ceil(maxParallelChunks / maxMapConcurrency);
  return {
    ...inOneMap,
    States: {
      ...inOneMap.States,
      MeasureChunks: { ...inOneMap.States.MeasureChunks, Next: 'SplitChunks' },
      SplitChunks: {
        Type: 'Pass',
        // In place of the list of all, so that the state does not grow.
        Parameters: { ...jobFields, 'group.$': '$.group', 'lists.$': `States.ArrayPartition($.chunks, ${listLength})` },
        Next: 'EncodeChunks',
      },
      EncodeChunks: {
        Type: 'Map',
        ItemsPath: '$.lists',
        ItemSelector: { ...jobFields, 'chunks.$': '$$.Map.Item.Value' },
        MaxConcurrency: Math.floor(maxParallelChunks / listLength),
        ItemProcessor: {
          ProcessorConfig: { Mode: 'INLINE' },
          StartAt: 'EncodeList',
          States: { EncodeList: encodeList(listLength) },
        },
        ResultPath: null,
        Catch: onAnyFailure,
        Next: 'Join',
      },
    },
  };
}

/** A failed list fails the Map of the lists. */
function encodeList(maxParallelChunks: number) {
  const { Catch: _, ...tasks } = runTasks('EncodeChunk', { tasks: '$.chunks', maxParallelChunks });
  return { ...tasks, End: true };
}
