import { route } from '../../../adapters/runtime/http/route.ts';
import { updateSettingsContract } from '../../../core/api/settings.ts';
import { changeSettings } from '../settings.ts';
import { changeSettingsDeps } from './change-settings-deps.ts';

export const handler = route(updateSettingsContract, changeSettings(changeSettingsDeps()));
