/** What to do about a full disk; undefined for another error. LevelDB and ffmpeg state it in their messages only. */
export function diskFullMessage(error: unknown): string | undefined {
  if (!(error instanceof Error) || !/ENOSPC|no space left on device/i.test(error.message)) return undefined;
  return 'The disk is full, so the local stage has ended. Free some space, then start it again: jobs and files that were stored are kept.';
}

/** Ends the process with a message instead of a stack trace if an emulator finds the disk full: dynalite throws outside of any promise. */
export function explainFullDisk(): void {
  process.on('uncaughtException', (error) => {
    console.error(diskFullMessage(error) ?? error);
    process.exit(1);
  });
}
