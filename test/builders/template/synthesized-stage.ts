import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import cdkJson from '../../../cdk.json' with { type: 'json' };
import type { Contract } from '../../../core/api/contract.ts';
import { entries } from '../../../lib/build/entries.ts';
import { readSettings } from '../../../lib/settings/read-settings.ts';
import { stageStacks } from '../../../lib/stage-stacks.ts';
import { fixtureContracts } from './fixture-contracts.ts';

export type StageOptions = {
  /** The stage's settings, as in cdk.json. */
  settings?: Record<string, unknown>;
  contracts?: readonly Contract[];
  /** Called with the app before it is synthesized. */
  prepare?: (app: App) => void;
};

export type SynthesizedStage = {
  stateful: Template;
  service: Template;
  /** Undefined if the stage has no stack in us-east-1. */
  edge: Template | undefined;
};

/** The templates of a stage named `test`, whose bundles are placeholders: a template depends only on their folders. */
export function synthesizedStage({
  settings = {},
  contracts = fixtureContracts,
  prepare,
}: StageOptions = {}): SynthesizedStage {
  const directory = mkdtempSync(path.join(tmpdir(), 'media-jobs-stage-'));
  try {
    placeholders(directory, contracts);
    const app = new App({
      context: cdkJson.context,
      outdir: path.join(directory, 'cdk.out'),
      analyticsReporting: false,
    });
    const stacks = stageStacks(app, {
      settings: readSettings({ test: settings }, 'test'),
      contracts,
      buildDirectory: directory,
      dashboardDirectory: path.join(directory, 'dashboard'),
    });
    prepare?.(app);
    return {
      stateful: Template.fromStack(stacks.stateful),
      service: Template.fromStack(stacks.service),
      edge: stacks.edge && Template.fromStack(stacks.edge),
    };
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/**
 * The templates of a stage with a stack in us-east-1.
 * @throws Error if it has none
 */
export function synthesizedStageWithEdge(options: StageOptions): SynthesizedStage & { edge: Template } {
  const { edge, ...templates } = synthesizedStage(options);
  if (edge === undefined) throw new Error('The stage has no stack in us-east-1');
  return { ...templates, edge };
}

function placeholders(directory: string, contracts: readonly Contract[]): void {
  const folders = entries(contracts).map(({ name }) => path.join('functions', name));
  for (const folder of [...folders, 'images/transcode']) {
    mkdirSync(path.join(directory, folder), { recursive: true });
    writeFileSync(path.join(directory, folder, 'index.js'), `// ${folder}`);
  }
  writeFileSync(path.join(directory, 'images/transcode/Dockerfile'), 'FROM scratch');
  mkdirSync(path.join(directory, 'dashboard/assets'), { recursive: true });
  writeFileSync(path.join(directory, 'dashboard/index.html'), '<!doctype html>');
  writeFileSync(path.join(directory, 'dashboard/assets/main.js'), '');
}
