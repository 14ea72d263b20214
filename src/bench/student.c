/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bench/student.h"

#include <assert.h>
#include <float.h>
#include <math.h>

#define PI 3.14159265358979323846
#define NEARLY_NORMAL 100000 /* degrees of freedom */

/* Neither numerator nor denominator of a fraction may become 0. */
static double away_from_zero(double x)
{
	return fabs(x) < DBL_MIN ? DBL_MIN : x;
}

/*
 * The continued fraction of the incomplete beta function (DLMF 8.17.22) by
 * Lentz's method; converges for x < (a + 1) / (a + b + 2).
 */
static double beta_fraction(double a, double b, double x)
{
	double c = 1;
	double d = 1 / away_from_zero(1 - (a + b) * x / (a + 1));
	double f = d;

	for (int m = 1; m < 10000; m++) {
		double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		double odd = -(a + m) * (a + b + m) * x /
			     ((a + 2 * m) * (a + 2 * m + 1));

		d = 1 / away_from_zero(1 + even * d);
		c = away_from_zero(1 + even / c);
		f *= d * c;
		d = 1 / away_from_zero(1 + odd * d);
		c = away_from_zero(1 + odd / c);
		f *= d * c;
		if (fabs(d * c - 1) < 4 * DBL_EPSILON)
			break;
	}
	return f;
}

/* lgamma() leaves the sign, here always +, in a global. */
static double log_gamma(double x)
{
	int sign;

	return lgamma_r(x, &sign);
}

/* I_x(a, b); y is 1 - x, given apart as it may be tiny. */
static double beta_regularised(double a, double b, double x, double y)
{
	double front;

	if (x <= 0)
		return 0;
	if (y <= 0)
		return 1;
	front = exp(log_gamma(a + b) - log_gamma(a) - log_gamma(b) +
		    a * log(x) + b * log(y));
	if (x < (a + 1) / (a + b + 2))
		return front * beta_fraction(a, b, x) / a;
	return 1 - front * beta_fraction(b, a, y) / b;
}

/* P(T > t) for t >= 0. */
static double upper_tail(double t, double df)
{
	double square = t * t;

	return beta_regularised(df / 2, 0.5, df / (df + square),
				square / (df + square)) /
	       2;
}

static double density(double t, double df)
{
	return exp(log_gamma((df + 1) / 2) - log_gamma(df / 2) -
		   (df + 1) / 2 * log1p(t * t / df)) /
	       sqrt(df * PI);
}

/*
 * Newton's method on the tail, whose bend to the right of 0 makes it come
 * from below; where a step would leave the bracket, halve that instead.
 */
double student_quantile(double p, uint32_t df)
{
	double tail = p < 0.5 ? p : 1 - p;
	double low = 0, high = INFINITY, t = 1;

	assert(p > 0 && p < 1 && df >= 1);
	for (int i = 0; i < 200; i++) {
		double off = upper_tail(t, df) - tail;
		double next = t + off / density(t, df);

		if (off > 0)
			low = t;
		else
			high = t;
		if (!(next >= low && next <= high))
			next = isinf(high) ? 2 * t : (low + high) / 2;
		if (fabs(next - t) <= 1e-13 * fabs(t))
			break;
		t = next;
	}
	return p < 0.5 ? -t : t;
}

double student_detectable(double sd, uint32_t n, double alpha, double power)
{
	assert(n >= 2);
	return (student_quantile(1 - alpha / 2, n - 1) +
		student_quantile(power, n - 1)) *
	       sd / sqrt(n);
}

/* The normal distribution's n is a few short, since t grows as n falls. */
uint32_t student_needed(double sd, double effect, double alpha, double power,
			uint32_t most)
{
	double ratio = (student_quantile(1 - alpha / 2, NEARLY_NORMAL) +
			student_quantile(power, NEARLY_NORMAL)) *
		       sd / effect;
	uint32_t n = 2;

	if (!(ratio * ratio <= most))
		return 0;
	if (ratio * ratio > n + 1)
		n = (uint32_t)(ratio * ratio) - 1;
	while (n <= most && student_detectable(sd, n, alpha, power) > effect)
		n++;
	return n <= most ? n : 0;
}
