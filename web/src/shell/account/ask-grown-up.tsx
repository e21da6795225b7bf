import { useQueryClient } from '@tanstack/react-query'
import { Button, type ButtonLook } from '../../design/buttons/button.tsx'
import { useConfiguration } from '../../features/ground/configuration/use-configuration.ts'
import { alertError } from '../../features/ground/errors/alert-error.ts'
import { useSession } from '../../features/ground/session/session.ts'

/**
 * A button on a page that a child may not use. It lets an adult switch to another profile, and then reloads the
 * page (A4.6-03).
 */
export function AskGrownUp({ text, look = 'primary' }: { text: string; look?: ButtonLook }) {
  const queries = useQueryClient()
  const configuration = useConfiguration()
  const { profile } = useSession()

  async function change(): Promise<void> {
    // This code loads when the button is pressed, not with the page.
    const { switchProfile } = await import('../../features/people/profiles/switch-profile.ts')
    await switchProfile(queries, profile, configuration, async () => location.reload())
  }

  return (
    <Button look={look} aria-haspopup="dialog" onPress={() => void change().catch(alertError)}>
      {text}
    </Button>
  )
}
