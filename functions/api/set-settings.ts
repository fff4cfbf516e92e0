import { setSettingsContract } from '../../core/api/settings.ts';
import { changeSettingsDeps } from '../runtime/change-settings-deps.ts';
import { route } from '../runtime/http/route.ts';
import { changeSettings } from './app/settings.ts';

export const handler = route(setSettingsContract, changeSettings(changeSettingsDeps()));
