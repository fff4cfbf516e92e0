import { expect, it } from 'vitest';
import stages from '../../docs/examples/stages.json' with { type: 'json' };
import { readSettings } from '../../lib/settings/read-settings.ts';
import { synthesizedStage } from '../builders/template/synthesized-stage.ts';

const digest = `sha256:${'0a'.repeat(32)}`;
const image = `123456789012.dkr.ecr.eu-central-1.amazonaws.com/team/media-jobs@${digest}`;

it('an image by its digest is that of all workers, and nothing is built', () => {
  const { fargate } = stages.production;
  const { service } = synthesizedStage({ settings: { image, fargate, region: 'eu-central-1' } });
  const functions = Object.values(service.findResources('AWS::Lambda::Function'));
  const images = functions.flatMap(({ Properties }) => (Properties.Code.ImageUri ? [Properties.Code.ImageUri] : []));
  const [task] = Object.values(service.findResources('AWS::ECS::TaskDefinition'));
  images.push(task?.Properties.ContainerDefinitions[0].Image);
  expect(images).toHaveLength(4);
  for (const one of images)
    expect(JSON.stringify(one)).toMatch(/123456789012\.dkr\.ecr\.eu-central-1\..*\/team\/media-jobs@/);
  expect(JSON.stringify(images).split(digest)).toHaveLength(5);
  expect(JSON.stringify(service.toJSON())).not.toContain('container-assets');
});

it.each([
  [{ image: 'media-jobs:latest' }, 'must be an image of ECR by its digest'],
  [{ image, region: 'us-east-1' }, 'must be in the region of the stage'],
])('rejects the settings %j', (settings, message) => {
  expect(() => readSettings({ dev: settings }, 'dev')).toThrow(message);
});
