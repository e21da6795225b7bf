import { createFileRoute } from '@tanstack/react-router'
import { OthersScreen } from '../shell/others-screen.tsx'
import { unlistedHead } from '../shell/route-head.ts'

export const Route = createFileRoute('/_shell/others')({
  head: ({ match }) => unlistedHead(match, 'others.title'),
  component: OthersScreen,
})
