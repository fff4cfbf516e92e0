import { cpSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { AssetHashType, DockerImage, Duration } from 'aws-cdk-lib';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { Preset } from '../../core/presets/preset.ts';
import { pascalCase } from '../names.ts';
import type { Settings } from '../settings/settings.ts';
import { presetsFile } from '../settings/stage-presets.ts';
import { commonFunctionProps, FunctionIdentity, inChains } from './function-identity.ts';

/** A stage, and where its bundles are. */
export type StageCode = { settings: Settings; buildDirectory: string };

export type BundledFunctionProps = StageCode & {
  /** Folder of the bundle under `<buildDirectory>/functions`. */
  name: string;
  memoryMb: number;
  timeoutSeconds: number;
  /** Texts of files that this stage has beside the bundle, by their names. */
  files?: Readonly<Record<string, string>> | undefined;
  /** Whether what it sends may lead to it again, see `inChains`. */
  isInChains?: boolean;
};

/** A function from one bundle, with its own role. Grants are separate. */
export class BundledFunction extends Construct {
  readonly lambda: LambdaFunction;

  constructor(scope: Construct, props: BundledFunctionProps) {
    super(scope, pascalCase(props.name));
    const identity = new FunctionIdentity(this, 'Identity', props);
    this.lambda = new LambdaFunction(this, 'Function', {
      ...commonFunctionProps(identity, props.settings),
      runtime: Runtime.NODEJS_24_X,
      code: codeOf(path.join(props.buildDirectory, 'functions', props.name), props.files),
      handler: 'index.handler',
      memorySize: props.memoryMb,
      timeout: Duration.seconds(props.timeoutSeconds),
      ...(props.isInChains && inChains(props.settings)),
    });
  }
}

/** The file of a stage's presets; undefined if it has none. */
export function filesOf(presets: readonly Preset[]): BundledFunctionProps['files'] {
  return presets.length === 0 ? undefined : { [presetsFile]: JSON.stringify(presets) };
}

/** The folder of a bundle, copied with further files if there are any. */
function codeOf(directory: string, files: BundledFunctionProps['files']): Code {
  if (files === undefined) return Code.fromAsset(directory);
  const tryBundle = (target: string) => {
    cpSync(directory, target, { recursive: true });
    for (const [name, text] of Object.entries(files)) writeFileSync(path.join(target, name), text);
    return true;
  };
  // No image runs: the copy is made here.
  const bundling = { image: DockerImage.fromRegistry('none'), local: { tryBundle } };
  return Code.fromAsset(directory, { bundling, assetHashType: AssetHashType.OUTPUT });
}
