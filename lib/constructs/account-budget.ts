import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import { Construct } from 'constructs';
import type { Settings } from '../settings/settings.ts';

/** When AWS Budgets sends a message: percent of the budget, spent or forecast. */
const messages = [
  { notificationType: 'ACTUAL', threshold: 80 },
  { notificationType: 'ACTUAL', threshold: 100 },
  { notificationType: 'FORECASTED', threshold: 100 },
];

/** The monthly budget of the account, which stops nothing; none without the setting. It includes all costs, because they are not tagged by stage. */
export class AccountBudget extends Construct {
  constructor(scope: Construct, id: string, { budgetUsdPerMonth: usdPerMonth, alarmEmail: email }: Settings) {
    super(scope, id);
    if (usdPerMonth === undefined || email === undefined) return;
    new CfnBudget(this, 'Budget', {
      budget: {
        // No name: CloudFormation replaces a budget whose amount changes, and names are unique in an account.
        budgetType: 'COST',
        timeUnit: 'MONTHLY',
        budgetLimit: { amount: usdPerMonth, unit: 'USD' },
      },
      notificationsWithSubscribers: messages.map((message) => ({
        notification: { ...message, comparisonOperator: 'GREATER_THAN', thresholdType: 'PERCENTAGE' },
        subscribers: [{ subscriptionType: 'EMAIL', address: email }],
      })),
    });
  }
}
