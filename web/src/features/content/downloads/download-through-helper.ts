import type { Configuration } from '@ondine/contract/configuration'
import { downloadHelperTokens } from '@ondine/contract/downloads'
import { call } from '../../../api/call.ts'
import { environment } from '../../../api/environment.ts'
import { modal } from '../../../modals/modal.ts'
import { pageWords } from '../../../words/fetch-words.ts'
import { notify } from '../../ground/notices/notice.ts'
import { withParentalCode } from '../../people/parental/ask-code.ts'

/** Time in which the local player must answer, in ms. The player runs on the same computer. */
const PATIENCE_MS = 5000

/**
 * Passes a download to the local player, with the user's tokens and the id of the asset. If the title needs the
 * parental code, asks for the code first, and also passes the service's proof of it. If no player answers, offers
 * to install one (A4.9-04).
 *
 * @throws ApiError if the service issues no tokens
 */
export async function downloadThroughHelper(
  { idAsset, title }: { idAsset: number; title: string },
  { helperUrl, helperInstallUrl }: Pick<Configuration['downloads'], 'helperUrl' | 'helperInstallUrl'>,
): Promise<void> {
  const lent = await withParentalCode(async (parentalProof) => {
    const { token, profileToken } = await call(downloadHelperTokens, { idAsset, parentalProof })
    return { token, profileToken, parentalProof }
  })
  if (lent === null) return
  const { identityKey } = environment()
  const wanted = { service: location.origin, identityKey, ...lent, idAsset }
  if (await isAccepted(helperUrl, wanted)) {
    notify({ text: pageWords().t('downloads.passedOn', { title }) })
    return
  }
  await modal.free()
  await modal.open('download', { link: helperInstallUrl })
}

/** Sends a request to the local player. Returns false if no player answers, or if it refuses. */
async function isAccepted(helperUrl: string, wanted: object): Promise<boolean> {
  try {
    const { ok } = await fetch(helperUrl, {
      method: 'POST',
      // The tokens are in the body, because addresses appear in logs.
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(wanted),
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      redirect: 'error',
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    return ok
  } catch {
    // No program answers at the address, or the program does not allow requests from this site.
    return false
  }
}
