import { createFileRoute } from '@tanstack/react-router'
import { shopScreen } from '../shell/shop-page.tsx'

export const Route = createFileRoute('/_shell/offers/checkout')(shopScreen('offers-checkout'))
