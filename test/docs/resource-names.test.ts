import { expect, it } from 'vitest';
import { contracts } from '../../core/api/registry.ts';
import { synthesizedStage } from '../builders/template/synthesized-stage.ts';
import { readPage } from './command-lines.ts';

/** Every string in the templates of a stage named `test`, among them the names of its resources. */
function namesOfAStage(): Set<string> {
  const fargate = { vpcId: 'vpc-0a1b2c3d', subnetIds: ['subnet-0a1b2c3d'] };
  const { service, stateful } = synthesizedStage({ contracts, settings: { fargate } });
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
