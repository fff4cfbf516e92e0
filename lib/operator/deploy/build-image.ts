import { BatchGetBuildsCommand, type CodeBuildClient, StartBuildCommand } from '@aws-sdk/client-codebuild';

export type ImageBuild = {
  client: CodeBuildClient;
  projectName: string;
  sleep: (ms: number) => Promise<unknown>;
  /** Gets each phase of the build. */
  log: (line: string) => void;
};

/**
 * Builds the image of the workers in CodeBuild, and returns its address by digest.
 *
 * @throws Error with the message of the failed phase and the address of the log
 */
export async function buildImage({ client, projectName, sleep, log }: ImageBuild): Promise<string> {
  const { build: started } = await client.send(new StartBuildCommand({ projectName }));
  const id = started?.id ?? '';
  let shown: string | undefined;
  for (;;) {
    const { builds: [build] = [] } = await client.send(new BatchGetBuildsCommand({ ids: [id] }));
    if (build?.currentPhase !== shown) log(`CodeBuild ${projectName}: ${build?.currentPhase}`);
    shown = build?.currentPhase;
    if (build?.buildComplete) {
      const image = build.exportedEnvironmentVariables?.find(({ name }) => name === 'IMAGE')?.value;
      if (build.buildStatus === 'SUCCEEDED' && image !== undefined) return image;
      const reason = (build.phases ?? []).flatMap(({ contexts = [] }) =>
        contexts.flatMap(({ message }) => message || []),
      );
      throw new Error(
        `CodeBuild did not build the image: ${build.buildStatus}. ${reason.join(' ')} Its log: ${build.logs?.deepLink}`,
      );
    }
    await sleep(10_000);
  }
}
