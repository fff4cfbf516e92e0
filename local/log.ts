/** Takes one line of a part of the stage: `function local-create-job`, `events`. */
export type Log = (source: string, line: string) => void;
