import { listProfiles } from '@ondine/contract/profiles'
import { useTranslation } from 'react-i18next'
import { call } from '../../api/call.ts'
import { Button } from '../../design/button.tsx'
import { useSession } from '../accounts/session.ts'
import { useConfiguration } from '../configuration/use-configuration.ts'
import { alertError } from '../errors/alert-error.ts'

/**
 * The form of a profile, for who is signed in by now, such as by the letter in another tab: somebody else may watch too (A4.6-04).
 *
 * @param onClosed what follows, whether one was made or not
 */
export function AddProfile({ onClosed }: { onClosed: () => void }) {
  const { t } = useTranslation('register')
  const configuration = useConfiguration()
  const { account } = useSession()
  if (account === null || !configuration.accounts.isMultiProfileEnabled) return null

  async function add(): Promise<void> {
    const { editProfile } = await import('../profiles/edit-profile.ts')
    await editProfile(undefined, await call(listProfiles, {}), configuration, undefined)
    onClosed()
  }

  return (
    <Button aria-haspopup="dialog" onPress={() => void add().catch(alertError)}>
      {t('addProfile')}
    </Button>
  )
}
