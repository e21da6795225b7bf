import { createFileRoute } from '@tanstack/react-router'
import { PairingScreen } from '../features/people/devices/pairing-screen.tsx'
import { keepConsentOpen } from '../features/viewing/accounts/open-consent.ts'
import { FullLogo } from '../shell/bar/logo.tsx'
import { unlistedHead } from '../shell/route-head.ts'

export const Route = createFileRoute('/pair')({
  head: ({ match }) => unlistedHead(match, 'pairing.title'),
  // A pairing is a sign-in, so the next page asks for the consent if necessary (A4.3-03).
  component: () => <PairingScreen logo={<FullLogo />} onPaired={() => keepConsentOpen(true)} />,
})
