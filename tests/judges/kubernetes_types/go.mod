module kubernetestypes

go 1.26
