import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { ApiError } from '../api/api-error.ts'
import { CODES } from '../api/codes.ts'
import { onRefusal } from '../api/refusals.ts'
import { useConfiguration } from '../features/ground/configuration/use-configuration.ts'
import { alertError } from '../features/ground/errors/alert-error.ts'
import { reportFault, reportTo } from '../features/ground/errors/report-fault.ts'
import { pathOf } from '../features/ground/links/content-link.ts'
import { sessionQuery } from '../features/ground/session/session.ts'
import { forgetDevice } from '../features/people/devices/register-device.ts'
import { usePlace } from '../words/place.tsx'

/**
 * Handles the errors that no part of a page handles. If the service has refused an action, shows an alert. Reports
 * any other error. Also reacts to two refusals of any call: with too many devices, opens the management of devices
 * (A8.3-02), and once the sign-in is no longer valid, opens the sign-in screen.
 */
export function ErrorWatch() {
  const navigate = useNavigate()
  const queries = useQueryClient()
  const { settings } = useConfiguration()
  const place = usePlace()

  useEffect(() => reportTo(settings.errorReporting), [settings.errorReporting])

  useEffect(() => {
    const rejected = (event: PromiseRejectionEvent) => {
      if (event.reason instanceof ApiError) {
        event.preventDefault()
        void alertError(event.reason)
      }
      reportFault(event.reason)
    }
    const failed = (event: ErrorEvent) => reportFault(event.error ?? event.message)
    window.addEventListener('unhandledrejection', rejected)
    window.addEventListener('error', failed)
    return () => {
      window.removeEventListener('unhandledrejection', rejected)
      window.removeEventListener('error', failed)
    }
  }, [])

  useEffect(() => {
    const openDevices = async () => {
      const { manageDevices } = await import('../features/people/devices/manage-devices.ts')
      if (await manageDevices(queries, place)) await navigate({ to: pathOf('account-devices') })
    }
    // The sign-in screen opens when the token could not be renewed. The service has then already deleted the cookies
    // of the sign-in (A4.4-04).
    let leaving: Promise<void> | undefined
    const signInAgain = async () => {
      forgetDevice()
      await queries.fetchQuery({ ...sessionQuery, staleTime: 0 })
      const { pathname, search } = location
      await navigate({ to: pathOf('auth-login'), search: { back: pathname + search } })
    }
    const stops = [
      onRefusal(CODES.tooManyDevices, () => void openDevices().catch(alertError)),
      onRefusal(CODES.tokenInvalid, () => {
        const known = queries.getQueryData(sessionQuery.queryKey)
        if (known?.account == null) return
        // If several calls fail at the same time, only the first failure navigates. A later navigation would
        // interrupt a viewer who is already typing on the sign-in screen.
        leaving ??= signInAgain().finally(() => {
          leaving = undefined
        })
      }),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [navigate, queries, place])

  return null
}
