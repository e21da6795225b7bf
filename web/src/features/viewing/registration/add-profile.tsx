import { listProfiles } from '@ondine/contract/profiles'
import { useTranslation } from 'react-i18next'
import { call } from '../../../api/call.ts'
import { Button } from '../../../design/buttons/button.tsx'
import { useConfiguration } from '../../ground/configuration/use-configuration.ts'
import { alertError } from '../../ground/errors/alert-error.ts'
import { useSession } from '../../ground/session/session.ts'

/**
 * A button that opens the form of a profile, so that the viewer can add another person (A4.6-04). Shown to a
 * viewer who is already signed in, for example because another tab has opened the link in the e-mail.
 *
 * @param onClosed called when the form closes, even if no profile was created
 */
export function AddProfile({ onClosed }: { onClosed: () => void }) {
  const { t } = useTranslation('register')
  const configuration = useConfiguration()
  const { account } = useSession()
  // `isMultiProfile` is missing in the session of an older service, and in an old session that the app has cached.
  if (!(account?.isMultiProfile ?? configuration.accounts.isMultiProfileEnabled)) return null

  async function add(): Promise<void> {
    const { editProfile } = await import('../../people/profiles/edit-profile.ts')
    await editProfile(undefined, await call(listProfiles, {}), configuration, undefined)
    onClosed()
  }

  return (
    <Button aria-haspopup="dialog" onPress={() => void add().catch(alertError)}>
      {t('addProfile')}
    </Button>
  )
}
