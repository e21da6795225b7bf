import { createFileRoute } from '@tanstack/react-router'
import { FormSkeleton } from '../design/skeletons/form-skeleton.tsx'
import { isChildWatching } from '../features/accounts/session.ts'
import { deviceCountQuery, devicesQuery } from '../features/devices/devices-query.ts'
import { DevicesScreen } from '../features/devices/devices-screen.tsx'
import { queryReader, textLike } from '../features/links/read-query.ts'
import { unlistedHead } from '../shell/route-head.ts'

const readAddress = queryReader({ code: (code) => textLike(code, /^[\w-]{1,20}$/) })

export const Route = createFileRoute('/_shell/account/devices')({
  // The address of a scanned QR code contains the code of a television.
  validateSearch: readAddress,
  loader: async ({ context: { queryClient } }) => {
    if (isChildWatching(queryClient)) return
    await Promise.all([queryClient.prefetchQuery(devicesQuery), queryClient.prefetchQuery(deviceCountQuery)])
  },
  head: ({ match }) => unlistedHead(match, 'devices.title'),
  component: Screen,
  pendingComponent: FormSkeleton,
})

function Screen() {
  const code = Route.useSearch({ select: (search) => search.code ?? '' })
  return <DevicesScreen code={code} />
}
