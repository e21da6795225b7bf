import { casAddDevice, casAvailableDevice, casRemoveDevice } from '@ondine/contract/devices'
import { readAsset } from '@ondine/contract/playback'
import type { TestScene } from './scene.ts'
import type { Tokens } from './service.ts'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
export const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.2 Mobile/15E148 Safari/604.1'

/** Returns builders of devices for the actor of a test. By default, a device is Firefox on Linux. */
export function screensOf(scene: TestScene) {
  const add = async (deviceUniqueId: string | undefined, headers: Tokens = {}) =>
    await scene.service.call(
      casAddDevice,
      { deviceUniqueId },
      { ...scene.actor.tokens, 'user-agent': FIREFOX, ...headers },
    )
  return {
    add,
    list: async (tokens: Tokens = scene.actor.tokens) =>
      (await scene.service.call(casAvailableDevice, {}, tokens)).result,
    remove: async (casDeviceId: number | undefined, tokens: Tokens = scene.actor.tokens) =>
      await scene.service.call(casRemoveDevice, { casDeviceId }, tokens),
    /** Registers a device, and returns the actor's tokens on it. */
    on: async (uniqueId: string, headers: Tokens = {}): Promise<Tokens> => ({
      ...scene.actor.tokens,
      'x-device-token': (await add(uniqueId, headers)).result.deviceAuthToken,
    }),
    play: async (idAsset: number, tokens: Tokens) =>
      await scene.service.call(
        readAsset,
        { idAsset, idAudioLang: 'fra', idSubtitleLang: 'non', format: 'dash' },
        tokens,
      ),
  }
}
