import { expect, it } from 'vitest';
import { contracts } from '../../core/api/registry.ts';
import { synthesizedStage } from '../builders/template/synthesized-stage.ts';
import { resourcesOf } from '../builders/template/template-resources.ts';
import { readPage } from './command-lines.ts';

const { service, stateful } = synthesizedStage({
  contracts,
  settings: {
    fargate: { vpcId: 'vpc-0a1b2c3d', subnetIds: ['subnet-0a1b2c3d'], pool: {} },
    buckets: [
      { name: 'raw', bucket: 'team-media', prefix: 'raw/', access: 'read' },
      { name: 'out', bucket: 'team-media', prefix: 'out/', access: 'read-write' },
    ],
    watches: [
      {
        ...{ name: 'films', bucket: 'team-media', prefix: 'raw/', preset: 'stream' },
        output: { storageProviderId: 'bucket:out', key: '{source}/{name}.{extension}' },
      },
    ],
  },
});

/** Every string in the templates of a stage named `test`, among them the names of its resources. */
function namesOfAStage(): Set<string> {
  const templates = JSON.stringify([service.toJSON(), stateful.toJSON()]);
  return new Set([...templates.matchAll(/"([^"]*)"/g)].map(([, name = '']) => name));
}

const names = namesOfAStage();

it.each(['restoring', 'deploying', 'alarms'].map((page) => `docs/${page}.md`))(
  '%s names every resource as the templates do',
  (page) => {
    const text = readPage(page);
    const called = [...text.matchAll(/[/\w-]*\$stage-[a-z-]*[a-z]/g)]
      .map(([name]) => name.replace('$stage', 'test'))
      // A template does not contain the name of its own stack.
      .filter((name) => !/^media-jobs-test-(stateful|service|edge)$/.test(name));
    // The commands in loops over `$name` are about `media-jobs-$stage-$name`.
    const inLoops = [...text.matchAll(/for name in ([\w .-]+);/g)].flatMap(([, list = '']) => list.split(' '));
    expect(called.length).toBeGreaterThan(2);
    for (const name of [...called, ...inLoops.map((name) => `media-jobs-test-${name}`)]) {
      expect(names).toContain(name);
    }
  },
);

/** What comes behind the name of the stage, in order. */
const shortNames = (all: readonly unknown[]) => all.map((name) => String(name).replace('media-jobs-test-', '')).sort();

it('docs/restoring.md stops, and starts again, all that makes or takes jobs', () => {
  const text = readPage('docs/restoring.md');
  const [mapped = '', machines = ''] = [...text.matchAll(/for name in ([\w -]+);/g)].map(([, list = '']) => list);
  const functions = service.findResources('AWS::Lambda::Function');
  const polling = resourcesOf(service, 'AWS::Lambda::EventSourceMapping').map(
    ({ FunctionName }) => functions[(FunctionName as { Ref: string }).Ref]?.Properties.FunctionName,
  );
  expect(mapped.split(' ').sort()).toEqual(shortNames(polling));
  // Deliveries that have begun end by themselves, within seconds.
  const running = resourcesOf(service, 'AWS::StepFunctions::StateMachine').map(
    ({ StateMachineName }) => StateMachineName,
  );
  expect([...machines.split(' '), 'webhook-delivery'].sort()).toEqual(shortNames(running));
  const scheduled = resourcesOf(service, 'AWS::Events::Rule').filter(({ ScheduleExpression }) => ScheduleExpression);
  for (const action of ['disable', 'enable']) {
    const rules = [...text.matchAll(new RegExp(`${action}-rule --name media-jobs-\\$stage-([\\w-]+)`, 'g'))];
    expect(rules.map(([, name = '']) => name).sort()).toEqual(shortNames(scheduled.map(({ Name }) => Name)));
  }
});
