import { expect, it } from 'vitest';
import { formatReport } from '../../permissions/format-report.ts';
import { addReports } from '../../permissions/merge-reports.ts';

const statement = (actions: Record<string, number>, id = 'policy/0', resources = ['table']) => ({
  holder: 'worker',
  id,
  resources,
  actions,
});
const denial = { principal: 'worker', action: 's3:PutObject', resourceArn: 'arn:aws:s3:::media/1' };

it('the same statement of two stages is counted as one', () => {
  const report = addReports([
    { statements: [statement({ 'dynamodb:GetItem': 2, 'dynamodb:PutItem': 0 })], denied: [] },
    { statements: [statement({ 'dynamodb:GetItem': 1, 'dynamodb:PutItem': 4 })], denied: [] },
  ]);
  expect(report.statements).toEqual([statement({ 'dynamodb:GetItem': 3, 'dynamodb:PutItem': 4 })]);
  expect(report.unused).toEqual([]);
});

it('a statement that one stage alone has moves none of the others', () => {
  const pool = statement({ 'states:ListExecutions': 3, 'states:StartExecution': 3 }, 'policy/0', ['pool']);
  const deliveries = (uses: number, id: string) => statement({ 'states:StartExecution': uses }, id, ['deliveries']);
  const report = addReports([
    { statements: [deliveries(1, 'policy/0')], denied: [] },
    { statements: [pool, deliveries(0, 'policy/1')], denied: [] },
  ]);
  expect(report.statements).toEqual([deliveries(1, 'policy/0'), pool]);
  expect(report.unused).toEqual([]);
});

it('statements that allow the same under other conditions are counted each', () => {
  const [first, second] = [statement({ 'kms:Decrypt': 1 }), statement({ 'kms:Decrypt': 0 }, 'policy/1')];
  const report = addReports([
    { statements: [first, second], denied: [] },
    { statements: [first, second], denied: [] },
  ]);
  expect(report.unused).toEqual([second]);
});

it('a statement that no stage used is named, with what to do', () => {
  const report = addReports([
    { statements: [statement({ 'dynamodb:GetItem': 1 }), statement({ 'sqs:SendMessage': 0 }, 'policy/1')], denied: [] },
  ]);
  expect(report.unused.map(({ id }) => id)).toEqual(['policy/1']);
  expect(formatReport(report)).toContain('UNUSED  worker  sqs:SendMessage 0 on table');
});

it('a denied action is named once for each principal, with what to do', () => {
  const report = addReports([
    { statements: [], denied: [denial] },
    { statements: [], denied: [denial] },
  ]);
  expect(report.denied).toEqual([denial]);
  expect(formatReport(report)).toContain('DENIED  worker  s3:PutObject on arn:aws:s3:::media/1');
});
