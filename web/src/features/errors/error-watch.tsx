import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { CODES } from '../../api/codes.ts'
import { onRefusal } from '../../api/refusals.ts'
import { modal } from '../../modals/modal.ts'
import { sessionQuery } from '../accounts/session.ts'
import { useConfiguration } from '../configuration/use-configuration.ts'
import { pathOf } from '../links/content-link.ts'
import { alertError } from './alert-error.ts'
import { reportFault, reportTo } from './report-fault.ts'

/**
 * What no part of a page handles: a refused action becomes an alert, everything else is reported. And what is done
 * about a refusal whichever call it is: too many devices open their management (A8.3-02), a session that is over is
 * asked for anew.
 */
export function ErrorWatch() {
  const navigate = useNavigate()
  const queries = useQueryClient()
  const { settings } = useConfiguration()

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
    const manageDevices = async () => {
      const devices = { devices: [], numberOfDevices: null, maxNumberOfDevices: null }
      const chosen = await modal.open('manageDevices', devices)
      if (chosen?.action === 'page') await navigate({ to: pathOf('account-devices') })
    }
    const stops = [
      onRefusal(CODES.tooManyDevices, () => void manageDevices()),
      onRefusal(CODES.tokenInvalid, () => {
        const known = queries.getQueryData(sessionQuery.queryKey)
        if (known?.account != null) void queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
      }),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [navigate, queries])

  return null
}
