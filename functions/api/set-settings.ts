import { changeSettingsDeps } from '../../adapters/runtime/change-settings-deps.ts';
import { route } from '../../adapters/runtime/http/route.ts';
import { setSettingsContract } from '../../core/api/settings.ts';
import { changeSettings } from './app/settings.ts';

export const handler = route(setSettingsContract, changeSettings(changeSettingsDeps()));
