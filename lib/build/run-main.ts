/**
 * Runs the main function of a program. An error is printed as its message, without the stack trace.
 *
 * @param main sets `process.exitCode` for a result other than success
 * @param failureCode the exit code after an error
 */
export async function runMain(
  main: () => void | Promise<void>,
  { failureCode = 1 }: { failureCode?: number } = {},
): Promise<void> {
  try {
    await main();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = failureCode;
  }
}
