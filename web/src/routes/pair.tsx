import { createFileRoute } from '@tanstack/react-router'
import { PairingScreen } from '../features/devices/pairing-screen.tsx'
import { pathOf } from '../features/links/content-link.ts'
import { FullLogo } from '../shell/bar/logo.tsx'
import { routeHead } from '../shell/route-head.ts'

export const Route = createFileRoute('/pair')({
  head: ({ match }) =>
    routeHead(match.context, {
      title: match.context.words.t('pairing.title'),
      description: '',
      path: pathOf('pair'),
      unlisted: true,
    }),
  component: () => <PairingScreen logo={<FullLogo />} />,
})
