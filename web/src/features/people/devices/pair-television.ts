import { addMaterialByPairing, pairingDevice } from '@ondine/contract/pairing'
import { PAIRING } from '@ondine/contract/pairing-code'
import type { QueryClient } from '@tanstack/react-query'
import { ApiError } from '../../../api/api-error.ts'
import { call } from '../../../api/call.ts'
import { modal } from '../../../modals/modal.ts'
import type { PairingFailure } from '../../../modals/modal-kinds.ts'
import { pageWords } from '../../../words/fetch-words.ts'
import { refusalText } from '../../ground/errors/refusal-text.ts'
import { askDevicesAnew, devicesQuery } from './devices-query.ts'

/** Number of times that a list of devices is refetched until it has a paired television. */
const TRIES = 5

/**
 * Pairs a television whose code the viewer enters, in four steps. The viewer sees the television's description and
 * confirms it before the pairing. Otherwise, a stranger could trick the viewer into entering the code of the
 * stranger's television (A4.7-02, A2.3-11).
 *
 * @param code initial value of the field, from an address that the viewer scanned
 */
export async function pairTelevision(queries: QueryClient, code = ''): Promise<void> {
  const { t, exists } = pageWords()
  let before: number | undefined
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
      before = countIn(queries)
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
  // The television registers its device when it next asks for the state of the pairing.
  for (let tries = 0; tries < TRIES && isShown(queries) && countIn(queries) === before; tries++) {
    await new Promise((resolve) => setTimeout(resolve, PAIRING.pollMs))
    if (isShown(queries)) await askDevicesAnew(queries)
  }

  /** Returns the texts of a failed call. Throws any other error again. */
  function failureOf(error: unknown): PairingFailure {
    if (!(error instanceof ApiError)) throw error
    return {
      title: t('devices.failureTitle'),
      description: refusalText(error, t, exists),
    }
  }
}

/** Returns the number of devices in the list; undefined if the list has not been loaded. */
function countIn(queries: QueryClient): number | undefined {
  return queries.getQueryData(devicesQuery.queryKey)?.length
}

/** Returns whether the page still shows the list of devices. */
function isShown(queries: QueryClient): boolean {
  return queries.getQueryCache().find({ queryKey: devicesQuery.queryKey })?.isActive() === true
}
