import { createFileRoute } from '@tanstack/react-router'
import { PairingScreen } from '../features/people/devices/pairing-screen.tsx'
import { FullLogo } from '../shell/bar/logo.tsx'
import { unlistedHead } from '../shell/route-head.ts'

export const Route = createFileRoute('/pair')({
  head: ({ match }) => unlistedHead(match, 'pairing.title'),
  component: () => <PairingScreen logo={<FullLogo />} />,
})
