import path from 'node:path';
import { Duration } from 'aws-cdk-lib';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { pascalCase } from '../names.ts';
import type { Settings } from '../settings/settings.ts';
import { commonFunctionProps, FunctionIdentity } from './function-identity.ts';

export type BundledFunctionProps = {
  /** Folder of the bundle under `<buildDirectory>/functions`. */
  name: string;
  buildDirectory: string;
  settings: Settings;
  memoryMb: number;
  timeoutSeconds: number;
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
      code: Code.fromAsset(path.join(props.buildDirectory, 'functions', props.name)),
      handler: 'index.handler',
      memorySize: props.memoryMb,
      timeout: Duration.seconds(props.timeoutSeconds),
    });
  }
}
