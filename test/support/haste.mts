import { backOff } from '../../nodes/ClientOnboarding/service/waiting';

// Troubles are waited for as in life, only ten times as fast.
backOff.firstMs = 50;
