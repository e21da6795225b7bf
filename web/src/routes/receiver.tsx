import { createFileRoute } from '@tanstack/react-router'
import { ReceiverLayout } from '../shell/receiver-layout.tsx'
import { unlistedHead } from '../shell/route-head.ts'

export const Route = createFileRoute('/receiver')({
  head: ({ match }) => unlistedHead(match, 'receiver.title'),
  component: ReceiverLayout,
})
