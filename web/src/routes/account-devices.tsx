import { createFileRoute } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { SectionSkeleton } from '../design/page/section.tsx'
import { FormSkeleton } from '../design/skeletons/form-skeleton.tsx'
import { useConfiguration } from '../features/ground/configuration/use-configuration.ts'
import { queryReader, textLike } from '../features/ground/links/read-query.ts'
import { isChildWatching } from '../features/ground/session/session.ts'
import { deviceCountQuery, devicesQuery } from '../features/people/devices/devices-query.ts'
import { DevicesScreen } from '../features/people/devices/devices-screen.tsx'
import { unlistedHead } from '../shell/route-head.ts'

const readAddress = queryReader({ code: (code) => textLike(code, /^[\w-]{1,20}$/) })

export const Route = createFileRoute('/_shell/account/devices')({
  // A television shows a QR code with this address. `code` is the television's pairing code.
  validateSearch: readAddress,
  loader: async ({ context: { queryClient } }) => {
    if (isChildWatching(queryClient)) return
    await Promise.all([queryClient.prefetchQuery(devicesQuery), queryClient.prefetchQuery(deviceCountQuery)])
  },
  head: ({ match }) => unlistedHead(match, 'devices.title'),
  component: Screen,
  pendingComponent: FormSkeleton,
})

// Loaded only if the operator offers notifications.
const PushSection = lazy(async () => ({
  default: (await import('../features/viewing/push/push-section.tsx')).PushSection,
}))

function Screen() {
  const code = Route.useSearch({ select: (search) => search.code ?? '' })
  const { accounts } = useConfiguration()
  return (
    <DevicesScreen code={code}>
      {accounts.pushEnabled && (
        <Suspense fallback={<SectionSkeleton />}>
          <PushSection />
        </Suspense>
      )}
    </DevicesScreen>
  )
}
