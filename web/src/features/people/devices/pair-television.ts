import { addMaterialByPairing, pairingDevice } from '@ondine/contract/pairing'
import type { QueryClient } from '@tanstack/react-query'
import { ApiError } from '../../../api/api-error.ts'
import { call } from '../../../api/call.ts'
import { modal } from '../../../modals/modal.ts'
import type { PairingFailure } from '../../../modals/modal-kinds.ts'
import { pageWords } from '../../../words/fetch-words.ts'
import { describeError } from '../../ground/errors/describe-error.ts'
import { askDevicesAnew } from './devices-query.ts'

/**
 * Pairs a television whose code the viewer enters, in four steps. The viewer sees the television's description and
 * confirms it before the pairing. Otherwise, a stranger could trick the viewer into entering the code of the
 * stranger's television (A4.7-02, A2.3-11).
 *
 * @param code initial value of the field, from an address that the viewer scanned
 */
export async function pairTelevision(queries: QueryClient, code = ''): Promise<void> {
  const { t, exists } = pageWords()
  const paired = await modal.open('addDevice', {
    value: code,
    find: async (written) => {
      try {
        const found = await call(pairingDevice, { code: written })
        return found === null
          ? { failure: { title: t('devices.unknownCode'), description: t('devices.unknownCodeText') } }
          : { name: found.name || t('devices.television') }
      } catch (error) {
        return { failure: failureOf(error) }
      }
    },
    pair: async (written): Promise<PairingFailure | null> => {
      try {
        const failure = await call(addMaterialByPairing, { code: written })
        return failure === null ? null : { title: t('devices.failureTitle'), description: failure.message }
      } catch (error) {
        return failureOf(error)
      }
    },
  })
  if (!paired) return
  await askDevicesAnew(queries)

  /** Returns the texts of a failed call. Throws any other error again. */
  function failureOf(error: unknown): PairingFailure {
    if (!(error instanceof ApiError)) throw error
    return { title: t('devices.failureTitle'), description: describeError(error, t, exists).text }
  }
}
